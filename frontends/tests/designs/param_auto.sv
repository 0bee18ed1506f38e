// Parameters are set in a top module that is found, too.
// options: --param W=3 --param V=2'd1
// expect: UNSAFE b0 (a:
// expect: UNSAFE b1 (v:
module sub #(parameter W = 2)(input clk); endmodule
module top #(parameter W = 2, parameter [1:0] V = 0)(input clk); reg [W-1:0] n = 0; always @(posedge clk) n <= n + 1; a: assert property (n != 5); 
 v: assert property (V != 1); sub s(.clk(clk)); endmodule
