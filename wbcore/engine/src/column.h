// A column of numbers whose address never changes: address space for all rows is reserved, memory is used on
// demand.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>

#include "platform/pages.h"

namespace wb {

// Blocks begin at different places in their pages: a processor's cache keeps only few lines with the same
// place in a page, and many small worlds use only the beginnings of their blocks.
class Block {
 public:
  explicit Block(size_t bytes) : offset_(next_offset()), bytes_(bytes + offset_) {
    pages_ = reserve_pages(bytes_);
    if (!pages_) throw std::bad_alloc();
  }
  ~Block() { release_pages(pages_, bytes_); }
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;
  void *data() const { return static_cast<char *>(pages_) + offset_; }

 private:
  static size_t next_offset() {
    constexpr size_t kLine = 64, kLines = 64, kApart = 5;
    static std::atomic<size_t> count{0};
    return count.fetch_add(1, std::memory_order_relaxed) * kApart % kLines * kLine;
  }

  size_t offset_, bytes_;
  void *pages_;
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
