// What slang passes over is refused.
// options: --frontend slang
// refused: slang passes over an assertion in a `final` block
module top(input logic clk, input logic d); logic q = 0; always_ff @(posedge clk) q <= d;
  a: assert property (@(posedge clk) q || !q); final assert (!q); endmodule
