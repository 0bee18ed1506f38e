// A register is the clock of another.
// expect: SAFE b0 (low:
// expect: UNSAFE b1 (three:
module top(input clk);
  reg half = 0; reg [1:0] n = 0;
  always @(posedge clk) half <= !half;
  always @(posedge half) n <= n == 2 ? 0 : n + 1;
  low: assert property (n != 3);
  three: assert property (n != 2);
endmodule
