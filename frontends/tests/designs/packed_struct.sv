// expect: SAFE b0 (parity:
// expect: UNSAFE b1 (len:
// expect: SAFE b2 (union:
module top(input clk, input [7:0] d, input we);
  typedef struct packed { logic [3:0] len; logic [2:0] kind; logic par; } hdr_t;
  typedef union packed { hdr_t h; logic [7:0] raw; } u_t;
  u_t r; initial r = 0;
  always @(posedge clk) if (we) begin r.h.len <= d[7:4]; r.h.kind <= d[3:1]; r.h.par <= ^d[7:1]; end
  parity: assert property (^r.raw == 0);
  len: assert property (r.h.len != 9);
  union: assert property (r.raw[7:4] == r.h.len);
endmodule
