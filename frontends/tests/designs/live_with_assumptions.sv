// Liveness below an assumption and fairness in a submodule.
// expect: SAFE j0 (granted:
// expect: UNSAFE j1 (both:
module env(input clk, input go); assume property (s_eventually go); endmodule
module top(input clk, input go, input cancel);
  reg [2:0] n = 0; env e(clk, go);
  always @(posedge clk) assume (!cancel);
  always @(posedge clk) if (cancel) n <= 0; else if (go && n != 5) n <= n + 1;
  granted: assert property (s_eventually n == 5);
  both: assert property (s_eventually n == 5 && go && cancel);
endmodule
