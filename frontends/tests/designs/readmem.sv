// A memory with its content from a file.
// expect: SAFE b0 (last:
// expect: UNSAFE b1 (seven:
module top(input clk, input [1:0] at);
  reg [3:0] rom [0:3];
  initial $readmemh("rom.hex", rom);
  reg [3:0] q = 0;
  always @(posedge clk) q <= rom[at];
  last: assert property (q != 5 && q != 2);
  seven: assert property (q != 7);
endmodule
