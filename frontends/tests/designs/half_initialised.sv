// expect: SAFE b0 (set:
// expect: UNSAFE b1 (unset:
module half(input clk);
  reg [3:0] value;
  initial value[0] = 1;
  always @(posedge clk) value <= value;
  set: assert property (value[0]);
  unset: assert property (value[3:1] == 0);
endmodule
