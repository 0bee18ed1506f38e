// Liveness in processes, with a condition of which it is enabled.
// expect: SAFE j0
// expect: UNSAFE j1
module top(input clk, input req);
  reg [1:0] n = 0; reg ack = 0;
  always @(posedge clk) begin n <= n + 1; ack <= n == 3; end
  always @(posedge clk) begin assert property (s_eventually ack); if (req) assert property (s_eventually !ack && req && n == 3 && n == 2); end
endmodule
