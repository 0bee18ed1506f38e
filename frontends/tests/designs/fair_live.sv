// Fairness gives liveness.
// expect: SAFE j0 (gets:
// expect: UNSAFE j1 (twice:
module top(input clk, input go);
  reg [1:0] n = 0;
  always @(posedge clk) if (go && n != 3) n <= n + 1;
  f: assume property (s_eventually go);
  gets: assert property (s_eventually n != 0);
  twice: assert property (s_eventually n == 0);
endmodule
