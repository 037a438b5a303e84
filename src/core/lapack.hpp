// Dense linear algebra from the LAPACK that SciPy carries, called through the pointers it exports.
#pragma once

#include <stdexcept>
#include <vector>

namespace aslant {

struct Lapack {
  using Dsyev = void (*)(char* job, char* triangle, int* n, double* a, int* lda, double* w,
                         double* work, int* lwork, int* info);
  using Dsyevr = void (*)(char* job, char* range, char* triangle, int* n, double* a, int* lda,
                          double* low, double* high, int* first, int* last, double* tolerance,
                          int* found, double* w, double* z, int* ldz, int* support, double* work,
                          int* lwork, int* iwork, int* liwork, int* info);
  using Dpotrf = void (*)(char* triangle, int* n, double* a, int* lda, int* info);
  using Dtrtrs = void (*)(char* triangle, char* transposed, char* unit_diagonal, int* n,
                          int* n_columns, double* a, int* lda, double* b, int* ldb, int* info);
  // Set once, when the module is imported.
  static inline Dsyev dsyev = nullptr;
  static inline Dsyevr dsyevr = nullptr;
  static inline Dpotrf dpotrf = nullptr;
  static inline Dtrtrs dtrtrs = nullptr;
};

// Eigenvalues (ascending) of a symmetric n x n matrix, which is overwritten by its eigenvectors,
// one after the other.
inline std::vector<double> symmetric_eigenvectors(std::vector<double>& matrix, int n) {
  std::vector<double> eigenvalues(n);
  int size = 8 * n, info = 0;
  std::vector<double> work(size);
  char job = 'V', triangle = 'L';
  Lapack::dsyev(&job, &triangle, &n, matrix.data(), &n, eigenvalues.data(), work.data(), &size,
                &info);
  if (info != 0) throw std::runtime_error("the eigenvalue iteration did not converge");
  return eigenvalues;
}

// The eigenvector of the largest eigenvalue of a symmetric n x n matrix, which is destroyed.
inline std::vector<double> dominant_eigenvector(std::vector<double>& matrix, int n) {
  std::vector<double> eigenvalues(n), vector(n), work(26 * n);
  std::vector<int> support(2), iwork(10 * n);
  char job = 'V', range = 'I', triangle = 'L';
  double unused = 0.0, tolerance = 0.0;
  int first = n, found = 0, size = 26 * n, isize = 10 * n, info = 0;
  Lapack::dsyevr(&job, &range, &triangle, &n, matrix.data(), &n, &unused, &unused, &first, &first,
                 &tolerance, &found, eigenvalues.data(), vector.data(), &n, support.data(),
                 work.data(), &size, iwork.data(), &isize, &info);
  if (info != 0 || found != 1)
    throw std::runtime_error("the eigenvalue iteration did not converge");
  return vector;
}

// The Cholesky factor L of a symmetric positive definite n x n matrix A = L L', which is
// overwritten: L is the lower triangle of its columns. False if it is not definite.
inline bool is_factored_by_cholesky(std::vector<double>& matrix, int n) {
  char triangle = 'L';
  int info = 0;
  Lapack::dpotrf(&triangle, &n, matrix.data(), &n, &info);
  return info == 0;
}
inline void cholesky_factor(std::vector<double>& matrix, int n) {
  if (!is_factored_by_cholesky(matrix, n))
    throw std::runtime_error("the matrix is not positive definite");
}

// L^-1 b, or with `transposed` L'^-1 b.
inline std::vector<double> solve_triangle(const std::vector<double>& factor, std::vector<double> b,
                                          bool transposed) {
  char triangle = 'L', form = transposed ? 'T' : 'N', unit = 'N';
  int n = static_cast<int>(b.size()), one = 1, info = 0;
  Lapack::dtrtrs(&triangle, &form, &unit, &n, &one, const_cast<double*>(factor.data()), &n,
                 b.data(), &n, &info);
  return b;
}

}  // namespace aslant
