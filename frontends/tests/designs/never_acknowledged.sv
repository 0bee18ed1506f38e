// The design never acknowledges.
// expect: SAFE b0 (bounded:
// expect: UNSAFE j0 (served:
module never(input clk, input request, output ack);
  reg [1:0] state = 0;
  always @(posedge clk) state <= request ? 1 : 0;
  assign ack = state == 2;
  served: assert property (s_eventually ack);
  bounded: assert property (state < 2);
endmodule
