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
  // Set once, when the module is imported.
  static inline Dsyev dsyev = nullptr;
  static inline Dsyevr dsyevr = nullptr;
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

}  // namespace aslant
