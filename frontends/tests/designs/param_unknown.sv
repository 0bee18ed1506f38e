// A parameter that is not there is an error.
// options: --param WW=3
// refused: WW
module top #(parameter W = 2)(input clk); reg [W-1:0] n = 0; always @(posedge clk) n <= n + 1; a: assert property (n != 5); endmodule
