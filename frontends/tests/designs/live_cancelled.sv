// expect: UNSAFE j0 (granted:
module top(input clk, input go, input cancel);
  reg [2:0] n = 0;
  always @(posedge clk) if (cancel) n <= 0; else if (go && n != 5) n <= n + 1;
  assume property (s_eventually go);
  granted: assert property (s_eventually n == 5);
endmodule
