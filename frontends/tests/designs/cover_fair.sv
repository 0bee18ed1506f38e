// What is assumed restricts covers.
// options: --cover
// expect: UNREACHABLE b0 (seen:
module top(input clk, input go); reg [1:0] n = 0; always @(posedge clk) if (go) n <= n + 1;
  seen: cover property (n == 3); f: assume property (!go); endmodule
