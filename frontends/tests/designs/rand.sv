// A register with any value.
// expect: UNSAFE b0 (never:
module top(input clk);
  rand reg [3:0] r;
  never: assert property (r != 7);
endmodule
