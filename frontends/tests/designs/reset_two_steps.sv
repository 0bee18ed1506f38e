// The second register follows the first by a step: one step of reset is not enough.
// options: --reset rst --reset-cycles 2
// expect: SAFE b0 (first:
// expect: SAFE b1 (second:
// expect: UNSAFE b2 (third:
module top(input clk, input rst);
  reg a, b, c;
  always @(posedge clk) begin
    a <= rst ? 0 : a;
    b <= a;
    c <= b;
  end
  first: assert property (!a);
  second: assert property (!b);
  third: assert property (!c);
endmodule
