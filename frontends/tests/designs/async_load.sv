// An asynchronous load of a value that is no constant.
// note: an asynchronous load follows its value
// expect: SAFE b0 (loaded:
// expect: UNSAFE b1 (free:
module top(input clk, input ld, input [3:0] v, input d);
  reg [3:0] q = 0;
  always @(posedge clk or posedge ld) if (ld) q <= v; else q <= q + d;
  loaded: assert property (!ld || q == v);
  free: assert property (q != 5);
endmodule
