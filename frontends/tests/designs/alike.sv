// Statements that are alike are several, each with its name.
// expect: SAFE b0 (one:
// expect: SAFE b1 (two:
// expect: UNSAFE b2 (three:
// expect: UNSAFE b3 (four:
// expect: UNSAFE b4 (five:
module top(input clk, input a);
  reg q = 0;
  always @(posedge clk) q <= a;
  one: assert property (1);
  two: assert property (1);
  three: assert property (!q);
  four: assert property (!q);
  five: assert property (q == 0);
  first: assume property (a || !a);
  second: assume property (a || !a);
endmodule
