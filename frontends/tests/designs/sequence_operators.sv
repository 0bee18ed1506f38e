// refused: sequence_operators.sv:5
module top(input clk, input a, b);
  reg x = 0;
  always @(posedge clk) x <= a;
  assert property (@(posedge clk) a |-> ##1 x);
endmodule
