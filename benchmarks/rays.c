/* Ray casters in plain C, to measure ours against: all exact, all on the padded grids that the Python side makes.
 * A field has one ring of solid cells (0) around the grid; lengths are in cells. */
#include <math.h>
#include <stdint.h>

typedef int64_t index_t;

/* Cell by cell. */
static double dda(const uint8_t *field, index_t rows, index_t columns, double x, double y, double dx, double dy,
                  double limit)
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

/* By the free squares towards the ray's quadrant: the algorithm of expedition.sim.rays. */
static double squares(const uint8_t *field, index_t rows, index_t columns, double x, double y, double dx, double dy,
                      double limit)
{
    if (dx < 0) {
        x = columns - x;
        dx = -dx;
        field += rows * columns;
    }
    if (dy < 0) {
        y = rows - y;
        dy = -dy;
        field += 2 * rows * columns;
    }
    double per_x = dx > 0 ? 1.0 / dx : INFINITY, per_y = dy > 0 ? 1.0 / dy : INFINITY;
    index_t column = (index_t)x, row = (index_t)y;
    double travelled = 0.0;
    index_t side = field[row * columns + column];
    while (side != 0 && travelled <= limit) {
        index_t next_column = column + side, next_row = row + side;
        double t_x = (next_column - x) * per_x, t_y = (next_row - y) * per_y;
        if (t_x < t_y) {
            travelled = travelled > t_x ? travelled : t_x;
            index_t at = (index_t)(y + t_x * dy);
            at = at > row ? at : row;
            row = at < next_row - 1 ? at : next_row - 1;
            column = next_column;
        } else {
            travelled = travelled > t_y ? travelled : t_y;
            index_t at = (index_t)(x + t_y * dx);
            at = at > column ? at : column;
            column = at < next_column - 1 ? at : next_column - 1;
            row = next_row;
        }
        side = field[row * columns + column];
    }
    if (travelled > limit || row > rows - 2 || column > columns - 2)
        return INFINITY;
    return travelled;
}

/* By circles of a Euclidean distance field, cell by cell where it is below 2. */
static double circles(const uint8_t *field, index_t rows, index_t columns, double x, double y, double dx, double dy,
                      double limit)
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
    void cast_all_##caster(const uint8_t *field, index_t rows, index_t columns, const double *poses,                 \
                           index_t count, const double *directions, index_t beams, double limit, float *ranges)       \
    {                                                                                                                 \
        for (index_t i = 0; i < count; i++) {                                                                         \
            double x = poses[3 * i] + 1.0, y = poses[3 * i + 1] + 1.0;                                                \
            double c = cos(poses[3 * i + 2]), s = sin(poses[3 * i + 2]);                                              \
            for (index_t b = 0; b < beams; b++) {                                                                     \
                double ahead = directions[2 * b], left = directions[2 * b + 1];                                       \
                ranges[i * beams + b] =                                                                               \
                    caster(field, rows, columns, x, y, c * ahead - s * left, s * ahead + c * left, limit);            \
            }                                                                                                         \
        }                                                                                                             \
    }

CAST_ALL(dda)
CAST_ALL(squares)
CAST_ALL(circles)
