// A clock behind a gate.
// expect: SAFE b0 (low:
// expect: UNSAFE b1 (three:
module top(input clk, input en);
  wire g = clk & en;
  reg [1:0] n = 0;
  always @(posedge g) n <= n == 2 ? 0 : n + 1;
  low: assert property (n != 3);
  three: assert property (n != 2);
endmodule
