// expect: SAFE j0 (served:
module wraps(input clk, output ack);
  reg [2:0] state = 0;
  always @(posedge clk) state <= state + 1;
  assign ack = state == 5;
  served: assert property (s_eventually ack);
endmodule
