// $past with a depth, in a process that is enabled.
// expect: SAFE b0
// expect: UNSAFE b1
module top(input clk, input en, input [3:0] d);
  reg [3:0] q = 0; reg [1:0] n = 0; always @(posedge clk) begin if (n != 3) n <= n + 1; if (en) q <= d; end
  always @(posedge clk) if (n == 3) begin a: assert (!$past(en) || q == $past(d)); b: assert (q == $past(d, 2) || !$past(en,2)); end
endmodule
