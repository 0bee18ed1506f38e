// Nothing is known of a memory that was not written.
// expect: UNSAFE b0 (zero:
module memory(input clk, input [3:0] at);
  reg [7:0] words [0:15];
  always @(posedge clk) words[0] <= 1;
  zero: assert property (words[at] != 200);
endmodule
