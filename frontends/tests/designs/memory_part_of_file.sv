// A file with some words; the others have any value; an address line in the file.
// expect: SAFE b0 (w0:
// expect: SAFE b1 (w5:
// expect: UNSAFE b2 (w3:
module top(input clk, input [2:0] a);
  reg [7:0] m [0:7]; initial $readmemh("part.hex", m);
  w0: assert property (m[0] == 8'hA1); w5: assert property (m[5] == 8'h5E); w3: assert property (m[3] == 0);
endmodule
