// expect: SAFE b0 (before:
// expect: UNSAFE b1 (stable:
module top(input clk, input [3:0] d);
  reg [3:0] q = 0;
  reg started = 0;
  always @(posedge clk) begin
    q <= d;
    started <= 1;
    if (started) before: assert (q == $past(d));
    if (started) stable: assert ($stable(d));
  end
endmodule
