// An assumption in a submodule constrains the top; contradictory with time: after 3 steps no run goes on.
// expect: SAFE b0 (late:
// expect: UNSAFE b1 (two:
module env(input clk, input [1:0] t); always @(posedge clk) assume (t < 3); endmodule
module top(input clk); reg [1:0] t = 0; reg [3:0] n = 0; always @(posedge clk) begin t <= t + 1; n <= n + 1; end
  env e(clk, t); late: assert property (n < 4); two: assert property (n != 2); endmodule
