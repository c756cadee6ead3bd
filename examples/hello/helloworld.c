int main() {
  if (1) {
    printf("Hello world!\n");
  }
}
