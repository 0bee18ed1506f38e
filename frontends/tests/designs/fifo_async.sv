// Two clocks may have edges in one step.
// expect: SAFE b0 (full:
// expect: UNSAFE b1 (three:
module top(input wclk, input rclk, input push, input pop);
  reg [2:0] w = 0, r = 0; wire [2:0] used = w - r;
  always @(posedge wclk) if (push && used != 4) w <= w + 1;
  always @(posedge rclk) if (pop && w != r) r <= r + 1;

  full: assert property (used <= 4);
  three: assert property (used != 3);
endmodule
