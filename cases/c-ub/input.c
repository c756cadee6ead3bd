#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MAX 16
struct node { char *key; int value; struct node *left, *right; };
static struct node *insert(struct node *root, const char *key, int value) {
  if (root == NULL) {
    root = malloc(sizeof *root);
    root->key = malloc(strlen(key) + 1);
    strcpy(root->key, key);
    root->value = value;
    root->left = root->right = NULL;
    return root;
  }
  int order = strcmp(key, root->key);
  if (order < 0) root->left = insert(root->left, key, value);
  else if (order > 0) root->right = insert(root->right, key, value);
  else root->value += value;
  return root;
}
static int depth(const struct node *root) {
  if (!root) return 0;
  int l = depth(root->left), r = depth(root->right);
  return 1 + (l > r ? l : r);
}
static void release(struct node *root) {
  if (!root) return;
  release(root->left);
  release(root->right);
  free(root->key);
  free(root);
}
int main(void) {
  const char *words[] = { "pear", "apple", "fig", "kiwi", "apple" };
  struct node *root = NULL;
  char buffer[MAX];
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    snprintf(buffer, MAX, "%s-%zu", words[i], i % 2);
    root = insert(root, buffer, (int)i);
  }
  printf("depth %d\n", depth(root));
  struct node *old = root;
  while (old->left) old = old->left;
  release(root);
  if (old->value > -1) printf("least %s\n", old->key);
  return 0;
}
