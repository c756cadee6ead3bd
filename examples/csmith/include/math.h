double fabs(double); float fabsf(float);
