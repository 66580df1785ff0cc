/* Ray casters in plain C, to measure ours against: all exact, all on the padded grids that the Python side makes.
 * `solid` and `field` have one ring of solid cells around the grid; lengths are in cells. */
#include <math.h>
#include <stdint.h>

typedef int64_t index_t;

/* Cell by cell. */
static double dda(const uint8_t *field, index_t columns, double x, double y, double dx, double dy, double limit)
{
    index_t column = (index_t)x, row = (index_t)y;
    index_t step_x = dx < 0 ? -1 : 1, step_y = dy < 0 ? -1 : 1;
    double per_x = fabs(1.0 / dx), per_y = fabs(1.0 / dy);
    double t_x = (dx < 0 ? x - column : column + 1 - x) * per_x;
    double t_y = (dy < 0 ? y - row : row + 1 - y) * per_y;
    double t = 0.0;
    while (field[row * columns + column] != 0) {
        if (t_x < t_y) {
            t = t_x;
            t_x += per_x;
            column += step_x;
        } else {
            t = t_y;
            t_y += per_y;
            row += step_y;
        }
        if (t > limit)
            return INFINITY;
    }
    return t;
}

/* By the free squares of the clearance field: the algorithm of expedition.sim.rays. */
static double squares(const uint8_t *field, index_t columns, double x, double y, double dx, double dy, double limit)
{
    index_t column = (index_t)x, row = (index_t)y;
    double per_x = dx != 0.0 ? 1.0 / dx : INFINITY, per_y = dy != 0.0 ? 1.0 / dy : INFINITY;
    index_t step_x = dx < 0 ? -1 : 1, step_y = dy < 0 ? -1 : 1;
    double edge_x = dx < 0 ? 1.0 - x : -x, edge_y = dy < 0 ? 1.0 - y : -y;
    double t = 0.0;
    index_t clear = field[row * columns + column];
    while (clear != 0 && t <= limit) {
        index_t next_column = column + step_x * clear, next_row = row + step_y * clear;
        double t_x = (next_column + edge_x) * per_x, t_y = (next_row + edge_y) * per_y;
        if (t_x < t_y) {
            t = t > t_x ? t : t_x;
            index_t at = (index_t)(y + t * dy), low = row - clear + 1, high = row + clear - 1;
            row = at < low ? low : at > high ? high : at;
            column = next_column;
        } else {
            t = t > t_y ? t : t_y;
            index_t at = (index_t)(x + t * dx), low = column - clear + 1, high = column + clear - 1;
            column = at < low ? low : at > high ? high : at;
            row = next_row;
        }
        clear = field[row * columns + column];
    }
    return t > limit ? INFINITY : t;
}

/* By circles of a Euclidean distance field, cell by cell where it is below 2. */
static double circles(const uint8_t *field, index_t columns, double x, double y, double dx, double dy, double limit)
{
    index_t step_x = dx < 0 ? -1 : 1, step_y = dy < 0 ? -1 : 1;
    double per_x = fabs(1.0 / dx), per_y = fabs(1.0 / dy);
    double t = 0.0;
    for (;;) {
        double at_x = x + t * dx, at_y = y + t * dy;
        index_t column = (index_t)at_x, row = (index_t)at_y;
        index_t clear = field[row * columns + column];
        if (clear >= 2) {
            t += clear;
            if (t > limit)
                return INFINITY;
            continue;
        }
        double t_x = t + (dx < 0 ? at_x - column : column + 1 - at_x) * per_x;
        double t_y = t + (dy < 0 ? at_y - row : row + 1 - at_y) * per_y;
        while (clear == 1) {
            if (t_x < t_y) {
                t = t_x;
                t_x += per_x;
                column += step_x;
            } else {
                t = t_y;
                t_y += per_y;
                row += step_y;
            }
            if (t > limit)
                return INFINITY;
            clear = field[row * columns + column];
        }
        if (clear == 0)
            return t;
        t += 1e-9;
    }
}

#define CAST_ALL(caster)                                                                                              \
    void cast_all_##caster(const uint8_t *field, index_t columns, const double *poses, index_t count,                 \
                           const double *directions, index_t beams, double limit, float *ranges)                      \
    {                                                                                                                 \
        for (index_t i = 0; i < count; i++) {                                                                         \
            double x = poses[3 * i] + 1.0, y = poses[3 * i + 1] + 1.0;                                                \
            double c = cos(poses[3 * i + 2]), s = sin(poses[3 * i + 2]);                                              \
            for (index_t b = 0; b < beams; b++) {                                                                     \
                double ahead = directions[2 * b], left = directions[2 * b + 1];                                       \
                ranges[i * beams + b] =                                                                               \
                    caster(field, columns, x, y, c * ahead - s * left, s * ahead + c * left, limit);                  \
            }                                                                                                         \
        }                                                                                                             \
    }

CAST_ALL(dda)
CAST_ALL(squares)
CAST_ALL(circles)
