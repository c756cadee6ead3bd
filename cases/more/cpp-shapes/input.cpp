#include <cstdio>
#include <cstdlib>

namespace canvas {

struct Point { double x, y; };

class Shape;

class Layer {
public:
    explicit Layer(const char *title) : title_(title), count_(0), ink_(0) {}
    void attach(const Shape *shape);
    void detach(const Shape *shape);
    void report() const;
    double ink() const { return ink_; }
private:
    static const int kMax = 16;
    const char *title_;
    const Shape *shapes_[kMax];
    int count_;
    double ink_;
};

class Shape {
public:
    Shape(Layer &layer, Point at) : layer_(layer), at_(at) { layer_.attach(this); }
    virtual ~Shape() { layer_.detach(this); }
    virtual double area() const = 0;
    virtual const char *name() const { return "shape"; }
    Point at() const { return at_; }
protected:
    Layer &layer_;
    Point at_;
};

void Layer::attach(const Shape *shape) {
    if (count_ == kMax)
        std::abort();
    shapes_[count_++] = shape;
}

void Layer::detach(const Shape *shape) {
    for (int i = 0; i < count_; ++i) {
        if (shapes_[i] == shape) {
            ink_ -= shape->area();
            shapes_[i] = shapes_[--count_];
            return;
        }
    }
}

void Layer::report() const {
    std::printf("%s:\n", title_);
    for (int i = 0; i < count_; ++i) {
        const Shape *s = shapes_[i];
        std::printf("  %-8s at (%g, %g), area %g\n", s->name(), s->at().x, s->at().y, s->area());
    }
}

class Circle : public Shape {
public:
    Circle(Layer &l, Point p, double r) : Shape(l, p), radius_(r) {}
    double area() const override { return 3.14159 * radius_ * radius_; }
    const char *name() const override { return "circle"; }
private:
    double radius_;
};

class Rect : public Shape {
public:
    Rect(Layer &l, Point p, double w, double h) : Shape(l, p), w_(w), h_(h) {}
    double area() const override { return w_ * h_; }
    const char *name() const override { return w_ == h_ ? "square" : "rect"; }
protected:
    double w_, h_;
};

class Frame final : public Rect {
public:
    Frame(Layer &l, Point p, double w, double h, double border)
        : Rect(l, p, w, h), border_(border) {}
    double area() const override { return Rect::area() - (w_ - 2 * border_) * (h_ - 2 * border_); }
    const char *name() const override { return "frame"; }
private:
    double border_;
};

}  // namespace canvas

int main() {
    using namespace canvas;
    Layer base("base"), overlay("overlay");
    Circle sun(base, {10, 80}, 4);
    Rect house(base, {40, 0}, 20, 15);
    base.report();
    {
        Frame window(overlay, {45, 5}, 4, 4, 0.5);
        overlay.report();
    }
    std::printf("ink %g\n", base.ink() + overlay.ink());
    return 0;
}
