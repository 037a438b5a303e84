// Dense linear algebra through the LAPACK pointers that SciPy exports.
#pragma once

#include <numeric>
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
  using Dpstrf = void (*)(char* triangle, int* n, double* a, int* lda, int* pivots, int* rank,
                          double* tolerance, double* work, int* info);
  using Dtrtrs = void (*)(char* triangle, char* transposed, char* unit_diagonal, int* n,
                          int* n_columns, double* a, int* lda, double* b, int* ldb, int* info);
  // Set once, at import.
  static inline Dsyev dsyev = nullptr;
  static inline Dsyevr dsyevr = nullptr;
  static inline Dpotrf dpotrf = nullptr;
  static inline Dpstrf dpstrf = nullptr;
  static inline Dtrtrs dtrtrs = nullptr;
};

// Eigenvalues (ascending) of a symmetric n x n matrix; overwrites it by its eigenvectors.
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

// Overwrites a symmetric positive definite n x n matrix A = L L' by its Cholesky factor L, the
// lower triangle by columns. False if A is not definite.
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

// Solves L x = b, or with `transposed` L'x = b, for n_columns vectors b, overwriting them. L is the
// lower triangle of the first n columns of `factor`, of `height` elements each.
inline void solve_triangle(const std::vector<double>& factor, int height, int n, double* b,
                           int n_columns, bool transposed) {
  char triangle = 'L', form = transposed ? 'T' : 'N', unit = 'N';
  int info = 0;
  Lapack::dtrtrs(&triangle, &form, &unit, &n, &n_columns, const_cast<double*>(factor.data()),
                 &height, b, &n, &info);
}
inline std::vector<double> solve_triangle(const std::vector<double>& factor, std::vector<double> b,
                                          bool transposed) {
  const int n = static_cast<int>(b.size());
  solve_triangle(factor, n, n, b.data(), 1, transposed);
  return b;
}

// The minimum-norm solution A^+ b of A x = b, for symmetric positive semidefinite A and b in its
// range. The pivoted factor P'A P = [L; M] [L' M'] stops at columns with residuals below
// `tolerance`, which depend on the first ones: with Z = L'^-1 M', the vectors (Z c, -c) span the
// null space, and their component is removed from (L L')^-1 b.
inline std::vector<double> shortest_solution(std::vector<double> matrix,
                                             const std::vector<double>& b, double tolerance) {
  int n = static_cast<int>(b.size()), rank = 0, info = 0;
  char triangle = 'L';
  std::vector<int> order(n);
  std::vector<double> work(2 * n);
  Lapack::dpstrf(&triangle, &n, matrix.data(), &n, order.data(), &rank, &tolerance, work.data(),
                 &info);
  const int rest = n - rank;
  std::vector<double> x(rank), Z(rest * rank);
  for (int i = 0; i < rank; ++i) x[i] = b[order[i] - 1];
  solve_triangle(matrix, n, rank, x.data(), 1, false);
  solve_triangle(matrix, n, rank, x.data(), 1, true);
  for (int k = 0; k < rest; ++k)
    for (int i = 0; i < rank; ++i) Z[k * rank + i] = matrix[i * n + rank + k];
  if (rest > 0) solve_triangle(matrix, n, rank, Z.data(), rest, true);
  // c = -(I + Z'Z)^-1 Z'x
  const auto product = [rank](const double* u, const double* v) {
    return std::inner_product(u, u + rank, v, 0.0);
  };
  std::vector<double> products(rest * rest), c(rest);
  for (int k = 0; k < rest; ++k) {
    c[k] = -product(&Z[k * rank], x.data());
    for (int l = 0; l < rest; ++l)
      products[k * rest + l] = product(&Z[k * rank], &Z[l * rank]) + (k == l ? 1.0 : 0.0);
  }
  if (rest > 0) {
    cholesky_factor(products, rest);
    c = solve_triangle(products, solve_triangle(products, c, false), true);
  }
  std::vector<double> shortest(n);
  for (int i = 0; i < rank; ++i) {
    for (int k = 0; k < rest; ++k) x[i] += Z[k * rank + i] * c[k];
    shortest[order[i] - 1] = x[i];
  }
  for (int k = 0; k < rest; ++k) shortest[order[rank + k] - 1] = -c[k];
  return shortest;
}

}  // namespace aslant
