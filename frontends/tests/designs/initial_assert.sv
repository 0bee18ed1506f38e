// Statements about the first step alone.
// expect: UNSAFE b0 (five:
// expect: SAFE b1 (zero:
module top(input clk);
  reg [3:0] q = 0;
  initial five: assert (q == 5);
  initial zero: assert (q == 0);
  always @(posedge clk) q <= q + 1;
endmodule
