#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *left, *right, *parent; };
static struct node *root;

/* Puts a node in the place of its parent, which becomes its child. */
static void rotate(struct node *node) {
    struct node *parent = node->parent, *above = parent->parent, *between;
    if (parent->left == node) {
        between = node->right;
        parent->left = between;
        node->right = parent;
    } else {
        between = node->left;
        parent->right = between;
        node->left = parent;
    }
#ifndef FAULT
    if (between) between->parent = parent;
#endif
    parent->parent = node;
    node->parent = above;
    if (!above) root = node;
    else if (above->left == parent) above->left = node;
    else above->right = node;
}

static void insert(int key) {
    struct node **place = &root, *parent = NULL;
    while (*place) {
        parent = *place;
        if (key == parent->key) return;
        place = key < parent->key ? &parent->left : &parent->right;
    }
    struct node *node = malloc(sizeof *node);
    if (!node) return;
    node->key = key;
    node->left = node->right = NULL;
    node->parent = parent;
    *place = node;
    while (node->parent) rotate(node);
}

static void check(struct node *node) {
    if (node->left) {
        assert(node->left->key < node->key && node->left->parent == node);
        check(node->left);
    }
    if (node->right) {
        assert(node->key < node->right->key && node->right->parent == node);
        check(node->right);
    }
}

int main(void) {
    root = NULL;
    for (int i = 0; i < SIZE; i++) insert(__VERIFIER_nondet_int());
    if (root) check(root);
    return 0;
}
