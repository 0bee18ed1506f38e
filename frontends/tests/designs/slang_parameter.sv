// A parameter that the top module does not have is an error with slang, too.
// options: --frontend slang --param WW=3
// refused: no parameter "WW"
module top #(parameter W = 2)(input logic clk); logic [W-1:0] n = 0; always_ff @(posedge clk) n <= n + 1;
  a: assert property (@(posedge clk) n != 5); endmodule
