// A memory with a descending range, from a binary file with x digits.
// expect: SAFE b0 (w0:
// expect: SAFE b1 (w3:
// expect: UNSAFE b2 (xx:
module top(input clk, input [1:0] a);
  reg [3:0] m [3:0]; initial $readmemb("rev.bin", m);
  w0: assert property (m[0] == 4'b0001); w3: assert property (m[3] == 4'b1000); xx: assert property (m[2] == 4'b0100);
endmodule
