// Registers at falling edges.
// expect: SAFE b0 (same:
// expect: UNSAFE b1 (three:
module top(input clk, input d);
  reg [1:0] n = 0; reg [1:0] m = 0;
  always @(negedge clk) begin n <= n + 1; m <= m + 1; end
  same: assert property (n == m);
  three: assert property (n != 3);
endmodule
