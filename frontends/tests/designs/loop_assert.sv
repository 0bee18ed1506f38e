// Statements in a loop that is unrolled.
// expect: SAFE b (loop_assert.sv
// expect: UNSAFE b (loop_assert.sv
// expect: SAFE b
module top(input clk);
  reg [2:0] x = 0;  integer i;
  always @(posedge clk) begin if (x[1:0] != 3) x <= {1'b1, x[0], 1'b1};
    for (i = 0; i < 3; i = i + 1) assert (i == 2 ? !x[i] : 1); end
endmodule
