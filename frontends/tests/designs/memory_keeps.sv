// expect: SAFE b0 (kept:
module memory(input clk, input write, input [3:0] at, input [7:0] data);
  reg [7:0] words [0:15];
  reg [7:0] copy;
  reg known = 0;
  always @(posedge clk) begin
    if (write) words[at] <= data;
    if (write && at == 7) begin copy <= data; known <= 1; end
  end
  wire [7:0] value = words[7];
  kept: assert property (!known || value == copy);
endmodule
