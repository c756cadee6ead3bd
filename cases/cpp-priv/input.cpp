#include <cstddef>
namespace store {
template <typename T, std::size_t N> class Ring {
public:
  Ring() : head_(0), size_(0) {}
  bool push(const T &value) {
    if (size_ == N) return false;
    items_[(head_ + size_++) % N] = value;
    return true;
  }
  T pop() {
    T out = items_[head_];
    head_ = (head_ + 1) % N;
    --size_;
    return out;
  }
  std::size_t size() const { return size_; }
  template <typename U> friend class Reader;
private:
  T items_[N];
  std::size_t head_, size_;
  void reset() { head_ = size_ = 0; }
};
class Logger {
public:
  explicit Logger(int level) : level_(level) {}
  virtual ~Logger() = default;
  virtual void log(const char *text) = 0;
  bool enabled(int level) const noexcept { return level <= level_; }
protected:
  int level_;
};
class Quiet final : public Logger {
public:
  Quiet() : Logger(0) {}
  void log(const char *) override {}
};
} // namespace store
using Numbers = store::Ring<int, 4>;
static int drain(Numbers &numbers, store::Logger &logger) {
  int total = 0;
  while (numbers.size() > 0) {
    int value = numbers.pop();
    if (logger.enabled(value)) logger.log("value");
    total += value < 0 ? -value : value;
  }
  auto again = [&numbers](int times) {
    for (int i = 0; i < times; ++i) numbers.push(i * i);
    return numbers.size();
  };
  if (again(3) > 2) numbers.reset();
  return total;
}
int main() {
  Numbers numbers;
  store::Quiet quiet;
  for (int i : {1, 2, 3}) numbers.push(i);
  return drain(numbers, quiet) == 6 ? 0 : 1;
}
