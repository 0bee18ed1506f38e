// Whether a value is `x` is no question about a circuit, whose values are 0 and 1.
// options: --frontend yosys
// refused: is not supported: the values of a circuit are 0 and 1
module top(input clk, input d); reg q = 0; always @(posedge clk) q <= d;
  a: assert property (!$isunknown(q)); b: assert property (q === 1'bx || !q); endmodule
