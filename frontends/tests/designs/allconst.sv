// A value for which something holds for all others is no circuit.
// refused: all
module top(input clk, input [3:0] d);
  wire [3:0] c = $allconst;
  a: assume property (d != c);
  b: assert property (d == 3);
endmodule
