// The first step.
// expect: SAFE b0 (once:
// expect: UNSAFE b1 (never:
module top(input clk); reg s = 1; always @(posedge clk) s <= 0; once: assert property ($initstate == s); never: assert property (!$initstate); endmodule
