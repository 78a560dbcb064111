/* Five bodies under gravity in doubles; the energy, rounded. */
typedef struct { double x, y, z, vx, vy, vz, mass; } body;
static body bodies[5] = {
    {0, 0, 0, 0, 0, 0, 39.478},
    {4.841, -1.160, -0.104, 0.606, 2.812, -0.025, 0.0377},
    {8.343, 4.125, -0.404, -1.011, 1.826, 0.008, 0.0113},
    {12.894, -15.111, -0.223, 1.083, 0.869, -0.011, 0.0017},
    {15.380, -25.919, 0.179, 0.979, 0.595, -0.035, 0.0020}};

static void advance(double dt) {
    for (int i = 0; i < 5; i++) {
        body *a = bodies + i;
        for (int j = i + 1; j < 5; j++) {
            body *b = bodies + j;
            double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
            double d2 = dx * dx + dy * dy + dz * dz;
            double mag = dt / (d2 * __builtin_sqrt(d2));
            a->vx -= dx * b->mass * mag; a->vy -= dy * b->mass * mag; a->vz -= dz * b->mass * mag;
            b->vx += dx * a->mass * mag; b->vy += dy * a->mass * mag; b->vz += dz * a->mass * mag;
        }
    }
    for (int i = 0; i < 5; i++) {
        bodies[i].x += dt * bodies[i].vx;
        bodies[i].y += dt * bodies[i].vy;
        bodies[i].z += dt * bodies[i].vz;
    }
}

__attribute__((export_name("run"))) long long run(void) {
    for (int i = 0; i < 800; i++) advance(0.01);
    double sum = 0;
    for (int i = 0; i < 5; i++) sum += bodies[i].x * 3 + bodies[i].vy * 5 + bodies[i].z;
    return (long long) (sum * 1e9);
}
