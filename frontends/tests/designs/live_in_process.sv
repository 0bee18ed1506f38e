// Liveness whose operand was defined in a process with $past; clocked property in a process under a condition.
// expect: SAFE j0
// expect: UNSAFE j1
module top(input clk, input req);
  reg [1:0] n = 0; always @(posedge clk) n <= n + 1;
  reg r = 0; always @(posedge clk) r <= req;
  always @(posedge clk) if (r) begin a: assert property (s_eventually n == 2); b: assert property (s_eventually req); end
endmodule
