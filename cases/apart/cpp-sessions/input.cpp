#include <cstddef>
#include <new>
#include <utility>

template <typename T, std::size_t N>
class static_vector {
  alignas(T) unsigned char storage_[N * sizeof(T)];
  std::size_t size_ = 0;

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  static_vector() = default;
  static_vector(const static_vector& other) {
    for (const T& item : other) push_back(item);
  }
  static_vector(static_vector&& other) noexcept {
    for (T& item : other) emplace_back(std::move(item));
    other.clear();
  }
  ~static_vector() { clear(); }

  iterator begin() { return reinterpret_cast<T*>(storage_); }
  iterator end() { return begin() + size_; }
  const_iterator begin() const { return reinterpret_cast<const T*>(storage_); }
  const_iterator end() const { return begin() + size_; }
  std::size_t size() const { return size_; }
  bool full() const { return size_ == N; }

  template <typename... Args>
  T& emplace_back(Args&&... args) {
    T* slot = ::new (static_cast<void*>(end())) T(std::forward<Args>(args)...);
    ++size_;
    return *slot;
  }
  void push_back(const T& item) { emplace_back(item); }
  void push_back(T&& item) { emplace_back(std::move(item)); }
  void clear() {
    while (size_ > 0) (begin() + --size_)->~T();
  }
};

class descriptor {
  int fd_;

 public:
  explicit descriptor(int fd = -1) noexcept : fd_(fd) {}
  descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() = default;
  explicit operator bool() const noexcept { return fd_ >= 0; }
  int get() const noexcept { return fd_; }
};

struct endpoint {
  unsigned address;
  unsigned short port;
  friend bool operator==(endpoint a, endpoint b) { return a.address == b.address && a.port == b.port; }
};

struct session {
  endpoint peer;
  descriptor socket;
  long idle = 0;

  session(endpoint p, int fd) : peer(p), socket(fd) {}
};

template <typename Range, typename Pred>
Range filter(const Range& range, Pred pred) {
  Range result;
  for (const auto& item : range)
    if (pred(item)) result.push_back(item);
  return result;
}

template <typename Range, typename Fn>
auto sum(const Range& range, Fn fn) {
  decltype(fn(*range.begin())) total{};
  for (const auto& item : range) total += fn(item);
  return total;
}

class server {
  static_vector<session, 8> sessions_;
  static_vector<endpoint, 32> banned_;

 public:
  bool accept(endpoint peer, int fd) {
    for (endpoint b : banned_)
      if (b == peer) return false;
    if (sessions_.full()) return false;
    sessions_.emplace_back(peer, fd);
    return true;
  }

  void ban(unsigned address) {
    auto hits = filter(banned_, [=](const endpoint& e) { return e.address == address; });
    if (hits.size() == 0) banned_.push_back(endpoint{address, 0});
  }

  void tick(long ms) {
    for (session& s : sessions_) s.idle += ms;
    auto alive = filter(sessions_, [](const session& s) { return s.idle < 30000; });
    if (alive.size() != sessions_.size()) {
      sessions_.clear();
      for (session& s : alive) sessions_.push_back(std::move(s));
    }
  }

  long total_idle() const {
    return sum(sessions_, [](const session& s) { return s.idle; });
  }
};

int main() {
  server srv;
  srv.ban(0x7f000001);
  for (int i = 0; i < 4; ++i) srv.accept(endpoint{0x0a000001u + i, 8080}, 3 + i);
  srv.tick(1500);
  return srv.total_idle() == 6000 ? 0 : 1;
}
