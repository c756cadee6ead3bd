/* Options: --no-volatiles --max-funcs 6 --no-bitfields --seed 2891740 */
#include <stdint.h>
#include <stdio.h>

static int32_t safe_add(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static int32_t safe_mul(int32_t a, int32_t b) { return (int32_t)((uint32_t)a * (uint32_t)b); }
static int32_t safe_div(int32_t a, int32_t b) { return (b == 0 || (a == INT32_MIN && b == -1)) ? a : a / b; }
static uint32_t safe_lshift(uint32_t a, int32_t b) { return (b > 32) ? a : a << b; }

struct S0 {
   int8_t  f0;
   uint16_t f1;
   int32_t f2;
   const uint32_t f3;
};

union U1 {
   int64_t f0;
   uint8_t f1;
};

static int32_t g_2 = 0x1FBA3C07L;
static int32_t *g_5 = &g_2;
static int32_t **g_9 = &g_5;
static uint16_t g_14[3][2] = {{0xF1E4L, 7UL}, {65535UL, 0x0003L}, {1UL, 0x9A10L}};
static struct S0 g_31 = {-1L, 0x20UL, 0x5AL, 4294967295UL};
static union U1 g_40 = {0x77L};
static uint8_t g_44 = 0xF8L;

static uint32_t func_1(void);
static int32_t func_7(struct S0 p_8, uint16_t p_10);
static uint16_t *func_16(int32_t *p_17, const uint8_t p_18);
static struct S0 *func_22(uint32_t p_23);
static uint32_t func_28(int32_t **p_29, uint16_t *p_30);

static uint32_t func_28(int32_t **p_29, uint16_t *p_30)
{
   uint32_t l_33 = 0x8B11D2EAL;
   int32_t l_34[2] = {0L, (-6L)};
   for (g_44 = 0; g_44 < 2; g_44++) {
      l_34[g_44] = safe_add(**p_29, safe_mul(l_34[g_44], *p_30));
      if (l_34[g_44] & 1)
         continue;
      l_33 ^= safe_lshift(l_33, *p_30 & 0x3F);
   }
   return l_33 ^ (uint32_t)l_34[1];
}

static struct S0 *func_22(uint32_t p_23)
{
   struct S0 *l_24 = &g_31;
   union U1 l_25 = g_40;
   l_24->f2 = safe_div((int32_t)p_23, l_25.f1);
   (*g_9) = &l_24->f2;
   return l_24;
}

static uint16_t *func_16(int32_t *p_17, const uint8_t p_18)
{
   uint16_t *l_19 = &g_14[0][1];
   int i, j;
   for (i = 0; i < 3; i++) {
      for (j = 0; j < 2; j++) {
         if (g_14[i][j] == p_18) {
            l_19 = &g_14[i][j];
            goto lbl_20;
         }
      }
   }
lbl_20:
   *l_19 |= (uint16_t)(p_18 ? g_31.f1 : *p_17);
   return l_19;
}

static int32_t func_7(struct S0 p_8, uint16_t p_10)
{
   int32_t *l_11 = &g_2;
   uint16_t *l_12 = func_16(l_11, (uint8_t)(p_10 >> 4 == 0 ? 3 : p_10));
   if ((p_8.f0 < 0) && (*l_12 != p_10)) {
      struct S0 *l_13 = func_22((uint32_t)safe_mul(p_8.f2, 0x77L));
      l_13->f2 &= ~1;
      (*l_11) = safe_add(*l_11, l_13->f0);
   } else {
      (*l_11) = safe_div(*l_11, p_8.f2);
   }
   /* the shift count comes straight out of g_14 here */
   return g_31.f2 >> g_14[1][1];
}

static uint32_t func_1(void)
{
   int32_t l_3 = 0x0DL;
   union U1 l_4 = {-1L};
   for (l_3 = 4; l_3 > 0; l_3 -= 3) {
      l_4.f0 ^= func_28(g_9, &g_14[2][0]);
      g_40.f0 = safe_add((int32_t)g_40.f0, l_4.f1);
   }
   (**g_9) = func_7(g_31, (uint16_t)(*g_5 & 0xF));
   return (uint32_t)(**g_9) + l_4.f1;
}

int main(void)
{
   int i, j;
   uint32_t crc = 0xFFFFFFFFUL;
   func_1();
   crc = crc * 31 + (uint32_t)g_2;
   for (i = 0; i < 3; i++)
      for (j = 0; j < 2; j++)
         crc = crc * 31 + g_14[i][j];
   crc = crc * 31 + (uint8_t)g_31.f0;
   crc = crc * 31 + g_31.f1;
   crc = crc * 31 + (uint32_t)g_31.f2;
   crc = crc * 31 + g_31.f3;
   crc = crc * 31 + (uint32_t)g_40.f0;
   printf("checksum = %X\n", crc);
   return 0;
}
