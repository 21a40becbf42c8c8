// The messages of a batch of crystals and their gradients, for one core with wide registers:
//   out_i = sum_e w_e * silu(p_i + q_src(e) + F(d_e)) * G(d_e),  F and G linear between the rows of their tables.
// Compiled by train.py with -O3 -march=native -ffast-math: the loops over channels, including the exponential, become vector code.
#include <cmath>
#include <cstdint>
#include <cstring>

namespace {
constexpr int C = 96;
inline float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }
}  // namespace

extern "C" {
int channels() { return C; }

void forward(int64_t nodes, const int32_t* row, const int32_t* source, const float* place, const float* weight,
             const float* p, const float* q, const float* f, const float* g, float* out) {
  for (int64_t i = 0; i < nodes; i++) {
    float sum[C] = {0};
    const float* pi = p + i * C;
    for (int32_t e = row[i]; e < row[i + 1]; e++) {
      const int k = static_cast<int>(place[e]);
      const float t = place[e] - k, w = weight[e];
      const float *f0 = f + k * C, *f1 = f0 + C, *g0 = g + k * C, *g1 = g0 + C, *qj = q + int64_t(source[e]) * C;
#pragma omp simd
      for (int c = 0; c < C; c++) {
        const float x = pi[c] + qj[c] + f0[c] + t * (f1[c] - f0[c]);
        sum[c] += w * x * sigmoid(x) * (g0[c] + t * (g1[c] - g0[c]));
      }
    }
    memcpy(out + i * C, sum, sizeof sum);
  }
}

void backward(int64_t nodes, const int32_t* row, const int32_t* source, const float* place, const float* weight,
              const float* p, const float* q, const float* f, const float* g, const float* dout,
              float* dp, float* dq, float* df, float* dg) {
  for (int64_t i = 0; i < nodes; i++) {
    float sum[C] = {0};
    const float *pi = p + i * C, *di = dout + i * C;
    for (int32_t e = row[i]; e < row[i + 1]; e++) {
      const int k = static_cast<int>(place[e]);
      const float t = place[e] - k, w = weight[e];
      const float *f0 = f + k * C, *f1 = f0 + C, *g0 = g + k * C, *g1 = g0 + C, *qj = q + int64_t(source[e]) * C;
      float *dqj = dq + int64_t(source[e]) * C, *df0 = df + k * C, *df1 = df0 + C, *dg0 = dg + k * C, *dg1 = dg0 + C;
#pragma omp simd
      for (int c = 0; c < C; c++) {
        const float x = pi[c] + qj[c] + f0[c] + t * (f1[c] - f0[c]);
        const float s = sigmoid(x), gate = g0[c] + t * (g1[c] - g0[c]), d = w * di[c];
        const float dx = d * gate * (s + x * s * (1 - s)), dgate = d * x * s;
        sum[c] += dx;
        dqj[c] += dx;
        df0[c] += (1 - t) * dx;
        df1[c] += t * dx;
        dg0[c] += (1 - t) * dgate;
        dg1[c] += t * dgate;
      }
    }
    memcpy(dp + i * C, sum, sizeof sum);
  }
}

// Copies the crystals `ids` of the whole set into one batch; returns the number of edges.
int64_t gather(int64_t count, const int64_t* ids, const int64_t* firstNode, const int64_t* firstEdge, const uint16_t* degree,
               const uint8_t* number, const float* share, const uint8_t* source, const float* distance, const uint16_t* weight,
               float perStep, int32_t* row, int32_t* outSource, float* place, float* outWeight, int64_t* z, float* m, int64_t* owner) {
  int64_t n = 0, edges = 0;
  row[0] = 0;
  for (int64_t b = 0; b < count; b++) {
    int64_t e = firstEdge[ids[b]];
    const int64_t base = n;
    for (int64_t i = firstNode[ids[b]]; i < firstNode[ids[b] + 1]; i++, n++) {
      z[n] = number[i];
      m[n] = share[i];
      owner[n] = b;
      for (int k = 0; k < degree[i]; k++, e++, edges++) {
        outSource[edges] = base + source[e];
        place[edges] = distance[e] * perStep;
        outWeight[edges] = weight[e];
      }
      row[n + 1] = edges;
    }
  }
  return edges;
}
}
