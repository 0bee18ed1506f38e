// An assumption about the first step holds for what follows.
// expect: SAFE b0 (five:
// expect: UNSAFE b1 (six:
module top(input clk);
  reg [3:0] q;
  initial assume (q == 5);
  always @(posedge clk) q <= q;
  five: assert property (q == 5);
  six: assert property (q == 6);
endmodule
