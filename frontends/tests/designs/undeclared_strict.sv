// options: --strict
// refused: yosys` warns: 
// refused: implicitly declared
module top(input clk);
  reg [1:0] c = 0;
  always @(posedge clk) c <= c == 2 ? 0 : c + 1;
  assert property (cc != 1);
endmodule
