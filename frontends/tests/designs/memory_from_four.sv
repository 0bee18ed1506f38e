// A memory that begins at 4; out of range reads.
// expect: SAFE b0 (kept:
// expect: UNSAFE b1 (low:
module top(input clk, input [2:0] wa, input [3:0] d, input we);
  reg [3:0] m [4:7]; reg [3:0] last = 0; reg [2:0] la = 0; reg known = 0;
  always @(posedge clk) if (we && wa >= 4) begin m[wa] <= d; last <= d; la <= wa; known <= 1; end
  kept: assert property (!known || m[la] == last);
  low: assert property (m[5] == 0);
endmodule
