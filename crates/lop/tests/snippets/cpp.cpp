#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace shapes {

constexpr double pi = 3.14159;

enum class Color : unsigned char { Red, Green = 2, Blue };

// The base of all shapes.
class Shape {
public:
    explicit Shape(std::string name, Color color = Color::Red)
        : name_(std::move(name)), color_{color} {}
    virtual ~Shape() = default;
    Shape(const Shape &) = delete;

    virtual double area() const noexcept = 0;
    const std::string &name() const { return name_; }

protected:
    std::string name_;

private:
    Color color_;
    static inline int count = 0;
};

class Circle final : public Shape {
public:
    Circle(double radius) : Shape("circle \"round\""), radius_(radius) {}
    double area() const noexcept override { return pi * radius_ * radius_; }
    bool operator<(const Circle &other) const { return radius_ < other.radius_; }

private:
    double radius_;
};

template <typename T, int N = 4>
struct Ring {
    T items[N];
    unsigned next = 0;

    void push(const T &item) { items[next++ % N] = item; }
    [[nodiscard]] T &operator[](int i) { return items[i % N]; }
};

template <typename... Args>
auto sum(Args... args) -> decltype(auto)
{
    return (args + ... + 0);
}

using List = std::vector<std::unique_ptr<Shape>>;

} // namespace shapes

static int parse(const char *text)
{
    try {
        return std::stoi(text);
    } catch (const std::exception &e) {
        std::cerr << "bad: " << e.what() << '\n';
        throw;
    } catch (...) {
        return -1;
    }
}

int main(int argc, char *argv[])
{
    shapes::List list;
    shapes::Ring<int, 8> ring{};
    std::map<std::string, int> counts = {{"a", 1}, {"b", 2}};
    list.push_back(std::make_unique<shapes::Circle>(argc > 1 ? parse(argv[1]) : 2.0));
    auto big = [&counts, limit = 10](const auto &shape) mutable { return shape->area() > limit; };
    for (const auto &[key, value] : counts)
        ring.push(value + static_cast<int>(key.size()));
    if (auto it = std::find_if(list.begin(), list.end(), big); it != list.end()) {
        std::cout << (*it)->name() << R"(\n)" << std::endl;
    } else {
        while (ring[0]-- > 0) continue;
    }
    return shapes::sum(1, 2, 3) == 6 ? 0 : 1;
}
