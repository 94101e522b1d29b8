// A column of numbers whose address never changes: address space for all rows is reserved, memory is used on
// demand.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>

namespace wb {

class Block {
 public:
  explicit Block(size_t bytes) : bytes_(bytes) {
    data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~Block() { munmap(data_, bytes_); }
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;
  void *data() const { return data_; }

 private:
  size_t bytes_;
  void *data_;
};

// `Width` doubles per row. The block is shared with the NumPy views on it, so it outlives the world.
template <size_t Width>
class Column {
 public:
  explicit Column(size_t rows) : block_(std::make_shared<Block>(rows * Width * sizeof(double))) {}
  double *row(size_t i) { return static_cast<double *>(block_->data()) + i * Width; }
  const double *row(size_t i) const { return static_cast<const double *>(block_->data()) + i * Width; }
  const std::shared_ptr<Block> &block() const { return block_; }

 private:
  std::shared_ptr<Block> block_;
};

}  // namespace wb
