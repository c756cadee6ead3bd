#include <stdio.h>
#include <stdlib.h>

typedef struct matrix {
	int rows, cols;
	double *cell;
} matrix;

static matrix *mat_new(int rows, int cols)
{
	matrix *m = malloc(sizeof(matrix));
	m->rows = rows;
	m->cols = cols;
	m->cell = calloc(rows * cols, sizeof(double));
	return m;
}

#define AT(m, r, c) ((m)->cell[(r) * (m)->cols + (c)])

static matrix *mat_fill(int rows, int cols, double (*f)(int, int))
{
	matrix *m = mat_new(rows, cols);
	for (int r = 0; r < rows; r++)
		for (int c = 0; c < cols; c++)
			AT(m, r, c) = f(r, c);
	return m;
}

static matrix *mat_mul(const matrix *a, const matrix *b)
{
	matrix *p = mat_new(a->rows, b->cols);
	for (int i = 0; i < a->rows; i++) {
		for (int j = 0; j < b->cols; j++) {
			double sum = 0;
			for (int k = 0; k < a->cols; k++)
				sum += AT(a, i, k) * AT(b, k, j);
			AT(p, i, j) = sum;
		}
	}
	return p;
}

static matrix *mat_transpose(const matrix *a)
{
	matrix *t = mat_new(a->cols, a->rows);
	for (int i = 0; i < a->rows; i++)
		for (int j = 0; j < a->cols; j++)
			AT(t, j, i) = AT(a, i, j);
	return t;
}

static double hilbert(int r, int c) { return 1.0 / (r + c + 1); }
static double stripes(int r, int c) { return (r + 2 * c) % 3 - 1; }

static double trace(const matrix *m)
{
	double t = 0;
	for (int i = 0; i < m->rows; i++)
		t += AT(m, i, i);
	return t;
}

int main(void)
{
	matrix *h = mat_fill(4, 3, hilbert);
	matrix *s = mat_fill(3, 5, stripes);
	matrix *hs = mat_mul(h, s);
	matrix *st = mat_transpose(s);
	matrix *gram;

	/* h' * h, but the transposed one is s */
	gram = mat_mul(st, h);
	printf("trace %.4f\n", trace(mat_mul(gram, st)));
	printf("corner %.4f\n", AT(mat_mul(s, hs), 2, 4));
	return 0;
}
