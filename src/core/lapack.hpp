// Dense linear algebra from the LAPACK that SciPy carries, called through the pointers it exports.
#pragma once

#include <stdexcept>
#include <vector>

namespace aslant {

struct Lapack {
  using Dsyev = void (*)(char* job, char* triangle, int* n, double* a, int* lda, double* w,
                         double* work, int* lwork, int* info);
  // Set once, when the module is imported.
  static inline Dsyev dsyev = nullptr;
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

}  // namespace aslant
